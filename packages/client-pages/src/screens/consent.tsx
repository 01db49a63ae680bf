import type { PageConsent, PageSignature } from '@casenote/contract'
import { useId, useState } from 'preact/hooks'
import { fill, type Texts } from '../texts/texts.js'
import { Card, Title } from './layout.js'

interface ConsentProps {
  texts: Texts
  consent: PageConsent
  isBusy: boolean
  /** The last try did not reach the service. */
  hasFailed: boolean
  onSign: (signature: Pick<PageSignature, 'personName' | 'relation'>) => void
  onWithdraw: () => void
}

type Given = PageConsent['consents'][number]

/** What is asked, the signature under it, and the way back: one page, whatever was said so far. */
export function Consent({ texts, consent, isBusy, hasFailed, onSign, onWithdraw }: ConsentProps) {
  const { consent: words } = texts
  const { clinicName: clinic, state } = consent
  const isGiven = state === 'given'
  const standing = consent.consents.filter(({ withdrawnAt }) => withdrawnAt === null)
  // What the client signed stands, though nothing is recorded: not of their own word.
  const isPaused = state === 'withdrawn' && standing.length > 0
  return (
    <Card key={state}>
      <Title>{isGiven ? words.givenTitle : fill(words.title, { clinic })}</Title>
      {state === 'withdrawn' && <p>{isPaused ? words.paused : words.withdrawn}</p>}
      {(isGiven || isPaused) && <Standing {...{ texts, consent }} given={standing} />}
      {!isGiven && <WordsOf text={consent.text} />}
      <p class="problem" role="alert">
        {hasFailed ? words.failed : ''}
      </p>
      {isGiven ? null : <Signature {...{ texts, isBusy, onSign }} />}
      {(isGiven || isPaused) && <Withdrawal {...{ texts, isBusy, onWithdraw }} />}
      <Earlier
        {...{ texts, consent }}
        given={consent.consents.filter(({ withdrawnAt }) => withdrawnAt !== null)}
      />
    </Card>
  )
}

/** Paragraphs with an empty line between them; those whose lines all begin with a dash are lists. Never markup. */
function WordsOf({ text }: { text: PageConsent['text'] }) {
  return (
    <div class="consent-text" lang={text.language}>
      {text.text.split(/\n\n+/).map((block) => {
        const lines = block.split('\n')
        return lines.every((line) => line.startsWith('- ')) ? (
          <ul class="facts" key={block}>
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

const formatTime = ({ language }: Texts, time: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(time))

const wordGiven = (texts: Texts, { personName, relation, method, givenAt }: Given): string => {
  const { consent: words } = texts
  const name = personName ?? words.you
  const by = relation === 'guardian' ? fill(words.guardianOf, { name }) : name
  return fill(words.methods[method], { name: by, date: formatTime(texts, givenAt) })
}

interface SaidProps {
  texts: Texts
  consent: PageConsent
  given: readonly Given[]
}

function Standing({ texts, consent, given }: SaidProps) {
  return (
    <>
      <ul class="facts">
        {given.map((one) => (
          <li key={one.id}>{wordGiven(texts, one)}</li>
        ))}
      </ul>
      <Signed {...{ texts, consent, given }} />
    </>
  )
}

/** The words as they were then, not those of today. */
function Signed({ texts, consent: { signedTexts = [] }, given }: SaidProps) {
  const isOfThese = ({ consentIds }: { consentIds: readonly string[] }): boolean =>
    given.some(({ id }) => consentIds.includes(id))
  return (
    <>
      {signedTexts.filter(isOfThese).map((text) => (
        <details class="agreed" key={text.textId ?? `${text.owner} ${text.version} ${text.language}`}>
          <summary>{texts.consent.signed}</summary>
          <WordsOf text={text} />
        </details>
      ))}
    </>
  )
}

function Earlier({ texts, consent, given }: SaidProps) {
  const { consent: words } = texts
  if (given.length === 0) return null
  return (
    <details class="agreed">
      <summary>{words.earlier}</summary>
      <ul class="facts">
        {given.map((one) => (
          <li key={one.id}>
            {wordGiven(texts, one)}{' '}
            {fill(words.withdrawnOn, { date: formatTime(texts, one.withdrawnAt ?? one.givenAt) })}
          </li>
        ))}
      </ul>
      <Signed {...{ texts, consent, given }} />
    </details>
  )
}

/** Typed name and tick; the time is the service's. Nothing of it is offered to the next person. */
function Signature({ texts, isBusy, onSign }: Pick<ConsentProps, 'texts' | 'isBusy' | 'onSign'>) {
  const { consent: words } = texts
  const [name, setName] = useState('')
  const [relation, setRelation] = useState<PageSignature['relation']>('self')
  const [hasAgreed, setAgreed] = useState(false)
  const [isIncomplete, setIncomplete] = useState(false)
  const problemId = useId()
  const submit = (event: Event): void => {
    event.preventDefault()
    const personName = name.trim()
    const isWhole = personName !== '' && hasAgreed
    setIncomplete(!isWhole)
    if (isWhole && !isBusy) onSign({ personName, relation })
  }
  const invalid = (isMissing: boolean) =>
    isIncomplete && isMissing ? { 'aria-invalid': 'true' as const, 'aria-describedby': problemId } : {}
  return (
    <form onSubmit={submit} autoComplete="off" noValidate>
      <fieldset>
        <legend>{words.who}</legend>
        {(['self', 'guardian'] as const).map((one) => (
          <label class="tick" key={one}>
            <input
              type="radio"
              name="relation"
              checked={relation === one}
              onChange={() => setRelation(one)}
            />
            <span>{words.relations[one]}</span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>{words.name}</span>
        <input
          name="signature"
          value={name}
          maxLength={200}
          autoComplete="off"
          {...invalid(name.trim() === '')}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label class="tick">
        <input
          type="checkbox"
          name="agreed"
          checked={hasAgreed}
          {...invalid(!hasAgreed)}
          onChange={(event) => setAgreed(event.currentTarget.checked)}
        />
        <span>{words.agree}</span>
      </label>
      <p class="problem" id={problemId} role="alert">
        {isIncomplete ? words.incomplete : ''}
      </p>
      <button class="main" type="submit" aria-disabled={isBusy}>
        {words.sign}
      </button>
      <p class="hint">{words.choice}</p>
    </form>
  )
}

/** Asked once more: it ends a recording that is under way. */
function Withdrawal({ texts, isBusy, onWithdraw }: Pick<ConsentProps, 'texts' | 'isBusy' | 'onWithdraw'>) {
  const { consent: words } = texts
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <button class="second" type="button" onClick={() => setAsking(true)}>
        {words.withdraw}
      </button>
    )
  return (
    <div role="group" aria-label={words.withdraw}>
      <p>{words.withdrawMeans}</p>
      <div class="choices">
        <button class="main" type="button" aria-disabled={isBusy} onClick={() => !isBusy && onWithdraw()}>
          {words.withdrawConfirm}
        </button>
        <button class="second" type="button" onClick={() => setAsking(false)}>
          {words.keep}
        </button>
      </div>
    </div>
  )
}
