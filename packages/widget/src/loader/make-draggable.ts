/** A hand that shakes is no drag. */
const clickWithinPx = 5

/** The button carries the widget, and stays in the window. Gives whether a click was the end of a drag. */
export function makeDraggable(button: HTMLElement, host: HTMLElement): () => boolean {
  let movedPx = 0
  button.addEventListener('pointerdown', ({ pointerId }) => button.setPointerCapture(pointerId))
  button.addEventListener('pointermove', ({ buttons, movementX, movementY, clientX, clientY }) => {
    if (buttons === 0) return
    movedPx += Math.hypot(movementX, movementY)
    if (movedPx > clickWithinPx) move(host, clientX, clientY)
  })
  return () => {
    const isDragged = movedPx > clickWithinPx
    movedPx = 0
    return isDragged
  }
}

/** In a corner of the window, so that the frame opens towards its middle; `x` and `y` from there. */
export function pin(host: HTMLElement, isTop: boolean, isLeft: boolean, x: number, y: number): void {
  host.toggleAttribute('top', isTop)
  host.toggleAttribute('left', isLeft)
  Object.assign(host.style, {
    inset: 'auto',
    [isTop ? 'top' : 'bottom']: `${y}px`,
    [isLeft ? 'left' : 'right']: `${x}px`,
  })
}

/** `x`, `y`: where the button's middle shall be. */
function move(host: HTMLElement, x: number, y: number): void {
  const isTop = y < innerHeight / 2
  const isLeft = x < innerWidth / 2
  const keep = (distance: number): number => Math.max(distance - 28, 8)
  pin(host, isTop, isLeft, keep(isLeft ? x : innerWidth - x), keep(isTop ? y : innerHeight - y))
}
