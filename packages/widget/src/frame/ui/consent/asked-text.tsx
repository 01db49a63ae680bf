import type { ConsentWithText } from '@casenote/contract'

/** `language` is null where nobody kept it. */
interface AskedTextProps {
  text: { text: string } & Pick<ConsentWithText, 'language'>
}

/** Paragraphs with an empty line between them; those whose lines all begin with a dash are lists. */
export function AskedText({ text }: AskedTextProps) {
  return (
    <div lang={text.language ?? undefined} class="stack tight">
      {text.text.split(/\n\n+/).map((block) => {
        const lines = block.split('\n')
        return lines.every((line) => line.startsWith('- ')) ? (
          <ul class="points" key={block}>
            {lines.map((line) => (
              <li key={line}>{line.slice(2)}</li>
            ))}
          </ul>
        ) : (
          <p key={block}>{block}</p>
        )
      })}
    </div>
  )
}
