/** Two soft notes: your turn. Made by the browser, so nothing is loaded. */

const NOTES_HZ = [660, 880] as const;
const NOTE_SECONDS = 0.12;

let context: AudioContext | null = null;

export function playTurnSound(): void {
  try {
    context ??= new AudioContext();
    const start = context.currentTime;
    for (const [at, pitch] of NOTES_HZ.entries()) playNote(context, pitch, start + at * NOTE_SECONDS);
  } catch {
    // A browser without sound plays without sound.
  }
}

function playNote(audio: AudioContext, pitchHz: number, at: number): void {
  const note = audio.createOscillator();
  const volume = audio.createGain();
  note.frequency.value = pitchHz;
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(0.08, at + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + NOTE_SECONDS);
  note.connect(volume).connect(audio.destination);
  note.start(at);
  note.stop(at + NOTE_SECONDS);
}
