import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Fault } from '../call-service.js'
import { useConsole } from '../console-state.js'
import { formatTime } from '../format.js'
import { toHash, type Place, type Screen } from '../place.js'
import type { Tone, Worded } from '../words.js'

/** A heading that takes the focus when its screen appears: a screen reader then says where one is. */
export function Title({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    document.title = `${children} – Casenote console`
    scrollTo(0, 0)
  }, [children])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

const signs: Readonly<Record<Tone, string>> = { good: '✓', bad: '✕', busy: '◔', quiet: '·' }

export function Pill({ text, tone }: Worded) {
  return (
    <span class={`pill ${tone}`}>
      <span aria-hidden="true">{signs[tone]}</span> {text}
    </span>
  )
}

export function Time({ at }: { at: string | null | undefined }) {
  if (at == null) return <>–</>
  return (
    <time dateTime={at} title={at}>
      {formatTime(at)}
    </time>
  )
}

export const Id = ({ id }: { id: string | null | undefined }) => (id == null ? <>–</> : <code>{id}</code>)

/** To a place of the tenant that is looked at, unless another is given. */
export function Go({ children, ...to }: Partial<Place> & { screen: Screen; children: ComponentChildren }) {
  const { place } = useConsole()
  const { tenantId = place.value.tenantId, screen, id = null, filters = {} } = to
  return <a href={toHash({ tenantId, screen, id, filters })}>{children}</a>
}

/** What is not there yet, or why it is not. The last good answer stays under it. */
export function Waiting({ live }: { live: { value: unknown; fault: Fault | null } }) {
  const { value, fault } = live
  if (fault !== null && fault.is !== 'signedOut')
    return (
      <p class="notice bad" role="alert">
        {fault.message}
        {value === null ? '' : ' What is shown is from before.'}
      </p>
    )
  return value === null ? (
    <p class="soft" role="status">
      Loading …
    </p>
  ) : null
}

export function Problem({ text }: { text: string | null }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  )
}

interface ButtonProps {
  children: string
  isBusy?: boolean
  kind?: 'main' | 'second' | 'danger'
  onDo?: () => void
}

/** Stays where it is and keeps the focus while its work goes on. Without `onDo` it sends its form. */
export function Button({ children, isBusy = false, kind = 'second', onDo }: ButtonProps) {
  return (
    <button
      type={onDo === undefined ? 'submit' : 'button'}
      class={`button ${kind}`}
      aria-disabled={isBusy}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onDo?.()
      }}
    >
      {isBusy && <span class="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}

export function Copy({ text, label }: { text: string; label: string }) {
  const [said, say] = useState('')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      say('Copied')
    } catch {
      say('The browser does not let pages copy here: mark the text and copy it.')
    }
  }
  return (
    <>
      <Button onDo={() => void copy()}>{label}</Button> <span role="status">{said}</span>
    </>
  )
}

/** Facts of one thing, a name and a value each. */
export function FactList({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  if (facts.length === 0) return <p class="soft">Nothing.</p>
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
