import type { CrisisHelp as Help } from '@casenote/contract'
import type { Texts } from '../texts.js'
import { Card, Title } from './layout.js'

export function CrisisHelp({ texts, help, onGoOn }: { texts: Texts; help: Help; onGoOn(): void }) {
  const { languages } = help
  const language = texts.language in languages ? texts.language : (Object.keys(languages)[0] ?? '')
  const words = languages[language]
  if (words === undefined) return null
  return (
    <Card>
      <div lang={language}>
        <Title>{words.title}</Title>
        <p>{words.text}</p>
        <ul class="contacts">
          {words.contacts.map(({ label, href, note }) => (
            <li key={href}>
              <a class="contact" href={href} rel="noreferrer">
                <strong>{label}</strong>
                {note !== undefined && <span>{note}</span>}
              </a>
            </li>
          ))}
        </ul>
      </div>
      <button class="second" type="button" onClick={onGoOn}>
        {texts.help.goOn}
      </button>
    </Card>
  )
}
