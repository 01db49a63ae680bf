/** A share of something, drawn and named; null: it goes on, nobody knows how far. */
export const Bar = ({ label, share }: { label: string; share: number | null }) => (
  <progress class="bar" aria-label={label} max={1} {...(share === null ? {} : { value: share })} />
)
