import { useTexts } from '../ui-context.js'

/** Grey lines where text will stand; the words are for those who do not see them. */
export const Pending = ({ lines = 3 }: { lines?: number }) => (
  <div class="pending">
    <p class="hidden">{useTexts().general.loading}</p>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} class="pending-line" />
    ))}
  </div>
)
