import type { Ui, View } from './ui-context.js'

/**
 * Called where something begins, gives the way to its end: taken only by who is still there, or where that screen leads by itself.
 * Who has gone on hears of a session when it has ended.
 */
export function stayPut(
  { view, go, begun }: Pick<Ui, 'view' | 'go' | 'begun'>,
  ...orThere: View[]
): (next: View) => void {
  const from = new Set([view.peek(), ...orThere].map((one) => JSON.stringify(one)))
  return (next) => {
    if (from.has(JSON.stringify(view.peek()))) go(next)
    else if (next.name === 'session') begun.value = begun.peek() + 1
  }
}
