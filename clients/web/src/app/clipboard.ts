/** Puts a text into the clipboard; false where the browser does not allow it, as on addresses without https. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
