import type { PageInvitation } from '@casenote/contract'
import type { Texts } from '../texts.js'
import { Card, Title } from './layout.js'

interface InvitationProps {
  texts: Texts
  invitation: PageInvitation
  isBusy: boolean
  onAnswer: (isAccepted: boolean) => void
}

export function Invitation({ texts, invitation, isBusy, onAnswer }: InvitationProps) {
  const { invitation: words } = texts
  const { clinicName, organizationName, state } = invitation
  if (state !== 'open') {
    return (
      <Card key={state}>
        <Title>{words[state].title}</Title>
        <p>{words[state].text}</p>
        <p class="hint">{texts.done.close}</p>
      </Card>
    )
  }
  return (
    <Card key={state}>
      <Title>{words.title(clinicName)}</Title>
      <p>{words.from(clinicName, organizationName)}</p>
      <p>{words.what}</p>
      <p class="hint">{words.choice}</p>
      <div class="choices">
        <button class="main" type="button" aria-disabled={isBusy} onClick={() => onAnswer(true)}>
          {words.accept}
        </button>
        <button class="second" type="button" aria-disabled={isBusy} onClick={() => onAnswer(false)}>
          {words.decline}
        </button>
      </div>
    </Card>
  )
}
