import { Button } from '../parts/button.js'
import { useUi } from '../ui-context.js'

/** The third way to a note, beside recording and a file. */
export function TypeInstead({ clientId, kind = 'plain' }: { clientId: string; kind?: 'plain' | 'primary' }) {
  const { texts, go } = useUi()
  return (
    <Button kind={kind} icon="edit" onClick={() => go({ name: 'typing', clientId })}>
      {texts.value.typing.open}
    </Button>
  )
}
