import type { ComponentChildren } from 'preact'
import { splitBlocks, trimBlankLines, type EvidencePart, type Line, type LinePart } from './split-evidence.js'

interface TextBlocksProps {
  parts: readonly EvidencePart[]
  /** How a part is shown; as its text, where nothing is said. */
  show?: (part: LinePart) => ComponentChildren
}

/** A section's text with real lists where its lines are items of one. */
export const TextBlocks = ({ parts, show = ({ text }) => text }: TextBlocksProps) =>
  splitBlocks(parts).map(({ kind, lines }, at) => {
    if (kind === 'text') {
      const rows = trimBlankLines(lines).map((line, row) => [row > 0 ? '\n' : null, line.parts.map(show)])
      return rows.length === 0 ? null : <div key={at}>{rows}</div>
    }
    const items = lines.map((line, row) => (
      <li
        key={row}
        class={isHeading(line) ? 'list-heading' : undefined}
        value={kind === 'numbers' ? Number.parseInt(line.marker.trim(), 10) : undefined}
      >
        {line.parts.map(show)}
      </li>
    ))
    return kind === 'numbers' ? <ol key={at}>{items}</ol> : <ul key={at}>{items}</ul>
  })

/** Extracts set headings as items of their own: "Danger:". */
const isHeading = ({ parts }: Line): boolean => /^[\w ]{1,40}:$/.test(parts.map(({ text }) => text).join(''))
