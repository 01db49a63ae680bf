import type {
  Consent,
  ConsentLink,
  ConsentRelation,
  ConsentWithText,
  ConsentWithdrawal,
  RecordingConsent,
  WidgetClient,
  WidgetConsents,
} from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { LinkDialog } from '../assessments/link-dialog.js'
import { fill } from '../../texts/fill.js'
import { formatDay } from '../format.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Failure } from '../parts/failure.js'
import { Choice, Field } from '../parts/field.js'
import { Pending } from '../parts/pending.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'
import { AskedText } from './asked-text.js'
import { useConsentId } from './use-consent-id.js'

export { AskConsent } from './ask-consent.js'
export { WithdrawDialog } from './withdraw-dialog.js'
/** It is opened from there, and so loaded before: `loaded-later.ts` says why it is named here. */
export * from '../loaded-later.js'

interface ConsentListProps {
  clientId: string
  onChange: (client: WidgetClient) => void
}

/** All that was said and signed about being recorded, and the ways to say or sign more. */
export function ConsentList({ clientId, onChange }: ConsentListProps) {
  const { engine } = useUi()
  const { consents: words } = useTexts()
  const path = `/clients/${clientId}`
  const loaded = useLoad(() => engine.api.get<WidgetConsents>(`${path}/consents`), [clientId])
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const changed = async (): Promise<void> => {
    onChange(await engine.api.get<WidgetClient>(path))
    loaded.again()
  }
  const { consents, state, text } = result.value
  return (
    <div class="stack">
      <p>{words.states[state]}</p>
      {consents.length === 0 ? null : (
        <ul class="plain-list stack">
          {consents.map((consent) => (
            <ConsentLine key={consent.id} consent={consent} onChange={changed} />
          ))}
        </ul>
      )}
      <SignHere path={path} text={text} onChange={changed} />
      <PageLink path={path} />
    </div>
  )
}

function ConsentLine({ consent, onChange }: { consent: Consent; onChange: () => Promise<void> }) {
  const { engine } = useUi()
  const { consents: words, consent: consentWords, locale } = useTexts()
  const isAsking = useSignal(false)
  const { id, clientId, personName, relation, method, givenAt, withdrawnAt, textVersion, textOwner } = consent
  const withdraw = async (): Promise<void> => {
    const withdrawal: ConsentWithdrawal = { consentId: id }
    await engine.api.send('POST', `/clients/${clientId}/consent-withdrawals`, withdrawal)
    await onChange()
  }
  return (
    <li>
      <span class="row-title">{personName ?? words.relations.self}</span>
      <span class="muted detail">
        {[
          words.relations[relation],
          fill(words.methods[method], { date: formatDay(locale, givenAt) }),
          fill(words.version, {
            version: textVersion,
            owner: textOwner === null ? '–' : words.owners[textOwner],
          }),
          ...(withdrawnAt === null ? [] : [fill(words.withdrawn, { date: formatDay(locale, withdrawnAt) })]),
        ].join(' · ')}
      </span>
      <WordsOf consent={consent} />
      {withdrawnAt === null ? (
        <button type="button" class="link" onClick={() => (isAsking.value = true)}>
          {consentWords.withdraw}
        </button>
      ) : null}
      {isAsking.value ? (
        <ConfirmDialog
          title={consentWords.withdrawTitle}
          action={consentWords.withdraw}
          icon="close"
          isDanger
          work={withdraw}
          onClose={() => (isAsking.value = false)}
        >
          <p>{consentWords.withdrawBody}</p>
        </ConfirmDialog>
      ) : null}
    </li>
  )
}

/** What this person agreed to, whatever is asked by now. Asked for only when somebody wants to know: it is read of a record. */
function WordsOf({ consent }: { consent: Consent }) {
  const { consents: words } = useTexts()
  const isOpen = useSignal(false)
  return (
    <details class="detail" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{consent.method === 'by_word' ? words.readSaid : words.readSigned}</summary>
      {isOpen.value ? <ReadWords consent={consent} /> : null}
    </details>
  )
}

function ReadWords({ consent: { id, clientId } }: { consent: Consent }) {
  const { engine } = useUi()
  const { consents: words } = useTexts()
  const path = `/clients/${clientId}/consents/${id}`
  const loaded = useLoad(() => engine.api.get<ConsentWithText>(path), [path])
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending lines={2} />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const { text, language } = result.value
  if (text === null) return <p class="muted">{words.noText}</p>
  return <AskedText text={{ text, language }} />
}

interface SignHereProps {
  path: string
  text: WidgetConsents['text']
  onChange: () => Promise<void>
}

const relations: readonly ConsentRelation[] = ['self', 'guardian', 'participant']
const methods = ['signed_in_room', 'by_word'] as const

/** On the clinician's screen, handed over, or as the clinician attests what was said. One person at a time. */
function SignHere({ path, text, onChange }: SignHereProps) {
  const { engine, announce } = useUi()
  const { consents: words } = useTexts()
  const relation = useSignal<ConsentRelation>('self')
  const method = useSignal<(typeof methods)[number]>('signed_in_room')
  const name = useSignal('')
  const hasAgreed = useSignal(false)
  const nameId = useId()
  const task = useTask()
  const withConsentId = useConsentId()
  const isSigned = method.value === 'signed_in_room'
  const needsName = isSigned || relation.value !== 'self'
  const isWhole = hasAgreed.value && (!needsName || name.value.trim() !== '')
  const keep = async (): Promise<void> => {
    const personName = name.value.trim()
    const given: RecordingConsent = {
      given: true,
      textId: text.textId ?? null,
      textVersion: text.version,
      textOwner: text.owner,
      language: text.language,
      method: method.value,
      relation: relation.value,
      ...(personName === '' ? {} : { personName }),
    }
    await withConsentId((known) => engine.api.send('POST', `${path}/consent`, { ...given, ...known }))
    name.value = ''
    hasAgreed.value = false
    announce(words.kept)
    await onChange()
  }
  return (
    <section class="stack">
      <h3>{words.add}</h3>
      <div class="fields">
        <Choice
          label={words.who}
          value={relation.value}
          choices={relations.map((value) => ({ value, title: words.relations[value] }))}
          onChange={(value) => (relation.value = relations.find((one) => one === value) ?? 'self')}
        />
        <Choice
          label={words.how}
          value={method.value}
          choices={methods.map((value) => ({ value, title: words.ways[value] }))}
          onChange={(value) => (method.value = methods.find((one) => one === value) ?? 'by_word')}
        />
      </div>
      <AskedText text={text} />
      {needsName ? (
        <Field label={words.name} id={nameId}>
          <input
            id={nameId}
            type="text"
            value={name.value}
            maxLength={200}
            autoComplete="off"
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
        </Field>
      ) : null}
      <label class="check">
        <input
          type="checkbox"
          checked={hasAgreed.value}
          onChange={(event) => (hasAgreed.value = event.currentTarget.checked)}
        />
        {isSigned ? words.agree : words.attest}
      </label>
      <div class="row">
        <Button
          kind="primary"
          icon="check"
          isBusy={task.isBusy}
          isDisabled={!isWhole}
          onClick={() => task.run(keep)}
        >
          {isSigned ? words.sign : words.keep}
        </Button>
      </div>
      <Failure error={task.failure} />
    </section>
  )
}

/** For the client's own page: they read, sign and withdraw where they are. */
function PageLink({ path }: { path: string }) {
  const { engine } = useUi()
  const { consents: words } = useTexts()
  const link = useSignal<ConsentLink | null>(null)
  const task = useTask()
  const make = async (): Promise<void> => {
    link.value = await engine.api.send<ConsentLink>('POST', `${path}/consent-link`)
  }
  return (
    <>
      <div class="row">
        <Button icon="send" isBusy={task.isBusy} onClick={() => task.run(make)}>
          {words.makeLink}
        </Button>
      </div>
      <Failure error={task.failure} />
      {link.value === null ? null : (
        <LinkDialog link={{ ...link.value, isEmailed: false }} onClose={() => (link.value = null)} />
      )}
    </>
  )
}
