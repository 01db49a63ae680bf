import type { PageInvitation } from '@casenote/contract'
import { fill, type Texts } from '../texts/texts.js'
import { Card, Title } from './layout.js'

interface InvitationProps {
  texts: Texts
  invitation: PageInvitation
  isBusy: boolean
  onAnswer: (isAccepted: boolean) => void
}

export function Invitation({ texts, invitation, isBusy, onAnswer }: InvitationProps) {
  const { invitation: words } = texts
  const { clinicName: clinic, organizationName: organization, state } = invitation
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
      <Title>{fill(words.title, { clinic })}</Title>
      <p>{fill(clinic === organization ? words.from : words.fromBoth, { clinic, organization })}</p>
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
