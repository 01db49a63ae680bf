import { useEffect, useState } from 'preact/hooks'
import type { ConsoleMe } from '@casenote/contract'
import { useConsole } from './console-state.js'
import { formatClock, timeZone } from './format.js'
import { OPERATOR_SCREENS, OWN_SCREENS, TENANT_SCREENS, toHash, type Screen } from './place.js'
import { Confirm } from './screens/confirm.js'
import { Shown } from './shown.js'
import { areShortcutsOn, GO_KEYS, listenForShortcuts, setShortcuts } from './shortcuts.js'
import { Dialog } from './ui/dialog.js'
import { Button } from './ui/parts.js'

const screenWords: Readonly<Record<Screen, string>> = {
  overview: 'Overview',
  sessions: 'Sessions',
  deliveries: 'Webhook deliveries',
  requests: 'Request log',
  keys: 'Keys and secrets',
  usage: 'Limits and usage',
  people: 'Clinics and clinicians',
  audit: 'Audit report',
  tenants: 'Tenants',
  health: 'Health',
  account: 'Your sign-in',
}

/** What stands around every screen of somebody who is signed in. */
export function Frame({ me }: { me: ConsoleMe }) {
  const desk = useConsole()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { screen, tenantId, id } = desk.place.value
  const screens: readonly Screen[] =
    me.kind === 'operator'
      ? [...TENANT_SCREENS, ...OPERATOR_SCREENS, ...OWN_SCREENS]
      : [...TENANT_SCREENS, ...OWN_SCREENS]

  useEffect(
    () =>
      listenForShortcuts({
        go: (to) =>
          screens.includes(to) &&
          desk.go({ screen: to, tenantId: desk.place.value.tenantId ?? firstTenant(me) }),
        showHelp: () => (desk.isHelpOpen.value = true),
        focusFilter: () => document.querySelector<HTMLElement>('main .filter')?.focus(),
        leave: () => {
          setMenuOpen(false)
          // From one thing back to its list.
          const { screen: list, id: shown } = desk.place.value
          if (shown !== null) desk.go({ screen: list, filters: desk.filtersOf(list) })
        },
      }),
    [desk, me],
  )
  // A menu that leads somewhere has done its work.
  useEffect(() => setMenuOpen(false), [screen, tenantId, id])

  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault() // What stands after the # is the place.
          document.querySelector<HTMLElement>('main h1')?.focus()
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <span class="brand">Casenote console</span>
        <button
          type="button"
          class="button second menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          Menu
        </button>
        <TenantPicker me={me} />
        <LiveState />
        <button type="button" class="button second sign-out" onClick={() => void desk.signOut()}>
          Sign out
        </button>
      </header>
      {desk.stillIn.value !== null && (
        <div class="notice bad" role="alert">
          {desk.stillIn.value} <Button onDo={() => void desk.signOut()}>Sign out again</Button>
        </div>
      )}
      <div class="body">
        <nav id="menu" class={isMenuOpen ? 'menu open' : 'menu'} aria-label="Screens">
          <ul>
            {screens.map((to) => (
              <li key={to}>
                <a
                  href={toHash({ tenantId: tenantId ?? firstTenant(me), screen: to, id: null, filters: {} })}
                  aria-current={to === screen ? 'page' : undefined}
                >
                  {screenWords[to]}
                </a>
              </li>
            ))}
          </ul>
          <button type="button" class="link" onClick={() => (desk.isHelpOpen.value = true)}>
            Keyboard
          </button>
          <p class="soft">
            You are {me.userName}. Times are of {timeZone()}.
          </p>
        </nav>
        <main id="main" key={toHash({ tenantId, screen, id, filters: {} })}>
          <Shown place={desk.place.value} isOperator={me.kind === 'operator'} />
        </main>
      </div>
      {desk.confirming.value !== null && <Confirm me={me} onEnd={desk.confirming.value} />}
      {desk.isHelpOpen.value && (
        <KeyboardHelp screens={screens} onClose={() => (desk.isHelpOpen.value = false)} />
      )}
    </>
  )
}

const firstTenant = (me: ConsoleMe): string | null => me.tenantId ?? me.tenants[0]?.id ?? null

/** The value of "Choose …". */
const unchosen = ''

function TenantPicker({ me }: { me: ConsoleMe }) {
  const desk = useConsole()
  const { tenantId, screen } = desk.place.value
  if (me.kind === 'partner' || me.tenants.length === 0) return <code class="tenant">{firstTenant(me)}</code>
  const isOfTenant = TENANT_SCREENS.some((one) => one === screen)
  return (
    <label class="tenant">
      <span class="soft">Tenant</span>
      <select
        value={tenantId ?? unchosen}
        onChange={({ currentTarget }) =>
          desk.go({ tenantId: currentTarget.value, screen: isOfTenant ? screen : 'overview' })
        }
      >
        {tenantId === null && <option value={unchosen}>Choose …</option>}
        {me.tenants.map(({ id, kind, isSuspended }) => (
          <option key={id} value={id}>
            {id} ({isSuspended ? 'suspended' : kind})
          </option>
        ))}
      </select>
    </label>
  )
}

/** Not read out: it changes every few seconds. That there is no connection is said by the screen itself. */
function LiveState() {
  const { heardAt, isAway } = useConsole()
  const at = heardAt.value === null ? '' : formatClock(heardAt.value)
  return (
    <span class={isAway.value ? 'live away' : 'live'}>
      <span aria-hidden="true">●</span> {isAway.value ? `no answer since ${at}` : `live ${at}`}
    </span>
  )
}

function KeyboardHelp({ screens, onClose }: { screens: readonly Screen[]; onClose: () => void }) {
  const [isOn, setOn] = useState(areShortcutsOn)
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {screens.map((screen) => (
          <div key={screen}>
            <dt>
              <kbd>g</kbd> <kbd>{GO_KEYS[screen]}</kbd>
            </dt>
            <dd>{screenWords[screen]}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>To the filter</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Close, or back to the list</dd>
        </div>
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>This help</dd>
        </div>
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => {
            setOn(currentTarget.checked)
            setShortcuts(currentTarget.checked)
          }}
        />
        <span>Single keys are shortcuts</span>
      </label>
    </Dialog>
  )
}
