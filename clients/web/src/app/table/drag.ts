/**
 * Dragging a card by mouse, pen or finger, on pointer events: the card follows the pointer, places that take cards
 * (`data-drop`) light up, and the drop says which place it was. A press that does not move stays a click.
 */

import type { Attachment } from "svelte/attachments";

const STARTS_AFTER_PX = 7;

export interface Drop {
  /** The `data-drop` of the place, or null for none. */
  readonly place: string | null;
  readonly x: number;
}

export function draggable(ondrop: (drop: Drop) => void): Attachment<HTMLElement> {
  return (card) => {
    let start: { x: number; y: number; id: number } | null = null;
    let moving = false;
    let over: Element | null = null;

    function placeAt(event: PointerEvent): HTMLElement | null {
      // The dragged card lies under the pointer: look through it.
      return document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-drop]") ?? null;
    }

    function light(place: Element | null): void {
      if (place === over) return;
      over?.removeAttribute("data-over");
      place?.setAttribute("data-over", "");
      over = place;
    }

    function down(event: PointerEvent): void {
      if (event.button !== 0 || start !== null) return;
      start = { x: event.clientX, y: event.clientY, id: event.pointerId };
      // From the first moment: a quick hand is off the card before it has moved far enough.
      card.setPointerCapture(event.pointerId);
    }

    function move(event: PointerEvent): void {
      if (start === null || event.pointerId !== start.id) return;
      const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
      if (!moving && Math.hypot(dx, dy) < STARTS_AFTER_PX) return;
      if (!moving) {
        moving = true;
        card.setAttribute("data-dragged", "");
      }
      card.style.transform = `translate(${dx}px, ${dy}px)`;
      light(placeAt(event));
    }

    function up(event: PointerEvent): void {
      if (start === null || event.pointerId !== start.id) return;
      const dropped = moving && event.type === "pointerup";
      const place = dropped ? placeAt(event) : null;
      end();
      if (!dropped) return;
      suppressClick();
      ondrop({ place: place?.dataset["drop"] ?? null, x: event.clientX });
    }

    function end(): void {
      start = null;
      moving = false;
      light(null);
      card.removeAttribute("data-dragged");
      card.style.transform = "";
    }

    /** The browser sends a click after a drag too; that one means nothing. */
    function suppressClick(): void {
      const swallow = (event: MouseEvent): void => {
        event.stopPropagation();
        event.preventDefault();
      };
      card.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => card.removeEventListener("click", swallow, { capture: true }), 0);
    }

    card.addEventListener("pointerdown", down);
    card.addEventListener("pointermove", move);
    card.addEventListener("pointerup", up);
    card.addEventListener("pointercancel", up);
    return () => {
      end();
      card.removeEventListener("pointerdown", down);
      card.removeEventListener("pointermove", move);
      card.removeEventListener("pointerup", up);
      card.removeEventListener("pointercancel", up);
    };
  };
}
