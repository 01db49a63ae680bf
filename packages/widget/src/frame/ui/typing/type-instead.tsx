import { Button } from '../parts/button.js'
import { useUi } from '../ui-context.js'

interface TypeInsteadProps {
  clientId: string
  kind?: 'plain' | 'primary'
  /** A failed one that was typed: its text is taken up. */
  fromSessionId?: string
}

/** The ways to a note beside recording and a file: typing, and dictating afterwards. */
export function TypeInstead({ clientId, kind = 'plain', fromSessionId }: TypeInsteadProps) {
  const { texts, go } = useUi()
  const { typing, dictating } = texts.value
  const isTyped = fromSessionId !== undefined
  return (
    <>
      <Button
        kind={kind}
        icon="edit"
        onClick={() => go({ name: 'typing', clientId, ...(isTyped ? { fromSessionId } : {}) })}
      >
        {isTyped ? typing.change : typing.open}
      </Button>
      {isTyped ? null : (
        <Button icon="mic" onClick={() => go({ name: 'typing', clientId, isDictated: true })}>
          {dictating.open}
        </Button>
      )}
    </>
  )
}
