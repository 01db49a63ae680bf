import type { Questionnaire } from '../questionnaire.js'
import { fill, fillCount, type Texts } from '../texts/texts.js'
import { Card, Title } from './layout.js'

export function Welcome({ texts, questionnaire }: { texts: Texts; questionnaire: Questionnaire }) {
  const { welcome: words } = texts
  return (
    <Card>
      <div class="sun" aria-hidden="true" />
      <Title>{words.title}</Title>
      <p>{fill(words.from, { clinic: questionnaire.clinicName })}</p>
      <ul class="facts">
        <li>{fillCount(texts, words.count, questionnaire.length.value)}</li>
        <li>{words.saved}</li>
        <li>{words.private}</li>
      </ul>
      <button class="main" type="button" onClick={() => questionnaire.start()}>
        {words.start}
      </button>
      <p class="hint keys">{texts.question.keys}</p>
    </Card>
  )
}

export function Send({ texts, questionnaire }: { texts: Texts; questionnaire: Questionnaire }) {
  const isSending = questionnaire.isSending.value
  return (
    <Card>
      <Title>{texts.send.title}</Title>
      <p>{texts.send.text}</p>
      <div class="choices">
        <button
          class="main"
          type="button"
          aria-disabled={isSending}
          onClick={() => void questionnaire.send()}
        >
          {isSending ? texts.send.sending : texts.send.submit}
        </button>
        <button class="second" type="button" onClick={() => questionnaire.back()}>
          {texts.send.review}
        </button>
      </div>
    </Card>
  )
}

export function Done({ texts, hadNothing }: { texts: Texts; hadNothing: boolean }) {
  return (
    <Card>
      <div class="sun" aria-hidden="true" />
      <Title>{texts.done.title}</Title>
      <p>{hadNothing ? texts.done.nothing : texts.done.text}</p>
      <p class="hint">{texts.done.close}</p>
    </Card>
  )
}

export function OpenAgain({ texts }: { texts: Texts }) {
  return (
    <Card>
      <Title>{texts.openAgain.title}</Title>
      <p>{texts.openAgain.text}</p>
    </Card>
  )
}

export function Trouble({ texts, onAgain }: { texts: Texts; onAgain: () => void }) {
  return (
    <Card>
      <Title>{texts.trouble.title}</Title>
      <p>{texts.trouble.text}</p>
      <button class="main" type="button" onClick={onAgain}>
        {texts.trouble.again}
      </button>
    </Card>
  )
}
