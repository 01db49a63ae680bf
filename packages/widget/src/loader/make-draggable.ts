/** A hand that shakes is no drag. */
const clickWithinPx = 5

/** The button carries the widget, and stays in the window. */
export function makeDraggable(button: HTMLElement, host: HTMLElement): void {
  let from: { x: number; y: number } | null = null
  let isDragged = false
  button.addEventListener('pointerdown', ({ clientX: x, clientY: y, pointerId }) => {
    from = { x, y }
    isDragged = false
    button.setPointerCapture(pointerId)
  })
  button.addEventListener('pointermove', ({ clientX: x, clientY: y }) => {
    if (from === null) return
    isDragged ||= Math.hypot(x - from.x, y - from.y) > clickWithinPx
    if (isDragged) move(host, x, y)
  })
  button.addEventListener('pointerup', () => {
    from = null
  })
  button.addEventListener(
    'click',
    (event) => {
      if (isDragged) event.stopImmediatePropagation()
      isDragged = false
    },
    { capture: true },
  )
}

/** In a corner of the window, so that the frame opens towards its middle. */
export function pin(
  host: HTMLElement,
  { isTop, isLeft, x, y }: { isTop: boolean; isLeft: boolean; x: number; y: number },
): void {
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
  pin(host, { isTop, isLeft, x: keep(isLeft ? x : innerWidth - x), y: keep(isTop ? y : innerHeight - y) })
}
