import { ConsoleContext, type Console } from './console-state.js'
import { Frame } from './frame.js'
import { Enrol } from './screens/enrol.js'
import { GateCard, SignIn } from './screens/sign-in.js'
import { Button, Title } from './ui/parts.js'

export function App({ desk }: { desk: Console }) {
  return (
    <ConsoleContext.Provider value={desk}>
      <Gate desk={desk} />
    </ConsoleContext.Provider>
  )
}

function Gate({ desk }: { desk: Console }) {
  const { value: gate } = desk.gate
  switch (gate.is) {
    case 'loading':
      return (
        <GateCard>
          <p role="status">Loading …</p>
        </GateCard>
      )
    case 'closed':
      return (
        <GateCard>
          <Title>The console is closed</Title>
          <p>It opens with its first user. Whoever runs this service invites one on the command line:</p>
          <p>
            <code>casenote console invite NAME</code>
          </p>
        </GateCard>
      )
    case 'signIn':
      return <SignIn message={gate.message} />
    case 'enrol':
      return <Enrol userName={gate.userName} />
    case 'badLink':
      return (
        <GateCard>
          <Title>The link could not be opened</Title>
          <p>{gate.message}</p>
          <p>A link works once, for a day. Ask whoever runs this service for another.</p>
          <Button onDo={() => void desk.enter(null)}>Go to the sign-in</Button>
        </GateCard>
      )
    case 'trouble':
      return (
        <GateCard>
          <Title>The console has trouble</Title>
          <p>{gate.message}</p>
          <Button kind="main" onDo={() => void desk.enter(null)}>
            Try again
          </Button>
        </GateCard>
      )
    case 'in':
      return <Frame me={gate.me} />
    default:
      return gate satisfies never
  }
}
