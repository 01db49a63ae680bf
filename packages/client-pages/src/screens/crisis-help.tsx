import type { CrisisHelp as Help } from '@casenote/contract'
import type { Texts } from '../texts/texts.js'
import { Card, Title } from './layout.js'

interface CrisisHelpProps {
  texts: Texts
  help: Help
  /** Label of the button that leads on. */
  label: string
  onGoOn: () => void
}

export function CrisisHelp({ texts, help, label, onGoOn }: CrisisHelpProps) {
  const { languages } = help
  const known = Object.keys(languages)
  const language = known.find((one) => one.split('-')[0] === texts.language) ?? known[0] ?? ''
  const words = languages[language]
  if (words === undefined) return null
  return (
    <Card>
      <div lang={language}>
        <Title>{words.title}</Title>
        <p>{words.text}</p>
        <ul class="contacts">
          {words.contacts.map(({ label: name, href, note }) => (
            <li key={href}>
              <a class="contact" href={href} rel="noreferrer">
                <strong>{name}</strong>
                {note !== undefined && <span>{note}</span>}
              </a>
            </li>
          ))}
        </ul>
      </div>
      <button class="second" type="button" onClick={onGoOn}>
        {label}
      </button>
    </Card>
  )
}
