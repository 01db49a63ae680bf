import { useTexts } from '../ui-context.js'
import { diffWords } from './diff-words.js'

/** What changed, for eyes and for ears: struck and underlined, never by colour alone. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const { history } = useTexts()
  return (
    <p class="prose diff">
      {diffWords(before, after).map(({ kind, text }, index) => {
        if (kind === 'same') return <span key={index}>{text}</span>
        const Tag = kind === 'removed' ? 'del' : 'ins'
        return (
          <Tag key={index}>
            <span class="hidden">[{history[kind]}: </span>
            {text}
            <span class="hidden">]</span>
          </Tag>
        )
      })}
    </p>
  )
}
