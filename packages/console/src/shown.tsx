import { OPERATOR_SCREENS, OWN_SCREENS, type Place } from './place.js'
import { Account } from './screens/account.js'
import { Audit } from './screens/audit.js'
import { Deliveries } from './screens/deliveries.js'
import { Delivery } from './screens/delivery.js'
import { Health } from './screens/health.js'
import { Keys } from './screens/keys.js'
import { Overview } from './screens/overview.js'
import { People } from './screens/people.js'
import { Requests } from './screens/requests.js'
import { Session } from './screens/session.js'
import { Sessions } from './screens/sessions.js'
import { Tenants } from './screens/tenants.js'
import { Usage } from './screens/usage.js'
import { Title } from './ui/parts.js'

/** The screen of a place. The service decides who may see what: here only nothing is offered that it would refuse. */
export function Shown({
  place: { tenantId, screen, id },
  isOperator,
}: {
  place: Place
  isOperator: boolean
}) {
  const isOperators = OPERATOR_SCREENS.some((one) => one === screen)
  const isOwn = OWN_SCREENS.some((one) => one === screen)
  if (isOperators ? !isOperator : tenantId === null && !isOwn) return <Nothing />
  switch (screen) {
    case 'overview':
      return <Overview />
    case 'sessions':
      return id === null ? <Sessions /> : <Session id={id} />
    case 'deliveries':
      return id === null ? <Deliveries /> : <Delivery id={id} />
    case 'requests':
      return <Requests />
    case 'keys':
      return <Keys />
    case 'usage':
      return <Usage />
    case 'people':
      return <People />
    case 'audit':
      return <Audit />
    case 'tenants':
      return <Tenants />
    case 'health':
      return <Health />
    case 'account':
      return <Account />
    default:
      return screen satisfies never
  }
}

function Nothing() {
  return (
    <>
      <Title>Nothing here</Title>
      <p>There is no such screen. Choose one from the menu.</p>
    </>
  )
}
