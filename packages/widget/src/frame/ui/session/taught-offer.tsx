import type { Vocabulary, VocabularyScope } from '@casenote/contract'
import { fill } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'

interface TaughtOfferProps {
  taught: { heard: string; term: string }
  onDone: () => void
}

/** A word was put right: should it be written so from now on? */
export function TaughtOffer({ taught, onDone }: TaughtOfferProps) {
  const { engine, texts, announce } = useUi()
  const { vocabulary: words, general } = texts.value
  const { isBusy, failure, run } = useTask()
  const teach = (scope: VocabularyScope) => async (): Promise<void> => {
    await engine.api.send<Vocabulary>('POST', '/vocabulary', { scope, ...taught })
    announce(fill(words.added, taught))
    onDone()
  }
  return (
    <Notice
      kind="info"
      icon="edit"
      title={fill(words.offer, taught)}
      actions={
        <>
          <Button icon="check" isBusy={isBusy} onClick={() => run(teach('clinician'))}>
            {words.scope.clinician}
          </Button>
          <Button icon="people" isBusy={isBusy} onClick={() => run(teach('clinic'))}>
            {words.scope.clinic}
          </Button>
          <Button kind="quiet" onClick={onDone}>
            {general.close}
          </Button>
        </>
      }
    >
      {failure === null ? words.offerLead : <Failure error={failure} />}
    </Notice>
  )
}
