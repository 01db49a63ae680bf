import type { Vocabulary, VocabularyScope, VocabularyTerm } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Failure } from '../parts/failure.js'
import { Choice } from '../parts/field.js'
import { Pending } from '../parts/pending.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'

/** It is opened from there, and so loaded before: `loaded-later.ts` says why it is named here. */
export * from '../loaded-later.js'

/** Names and medicines as they are written here, for the clinician and their clinic. */
export function VocabularyDialog({ onClose }: { onClose: () => void }) {
  const { engine, texts } = useUi()
  const { vocabulary: words } = texts.value
  const loaded = useLoad(() => engine.api.get<Vocabulary>('/vocabulary'), [])
  const result = loaded.result.value
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p class="muted">{words.lead}</p>
      {result.state === 'loading' ? <Pending lines={4} /> : null}
      {result.state === 'failed' ? <Failure error={result.error} onRetry={loaded.again} /> : null}
      {result.state === 'loaded' ? <Terms loaded={result.value} /> : null}
    </Dialog>
  )
}

function Terms({ loaded }: { loaded: Vocabulary }) {
  const { engine, texts, announce } = useUi()
  const { vocabulary: words } = texts.value
  const vocabulary = useSignal(loaded)
  const { isBusy, failure, run } = useTask()
  const remove = async ({ id, term }: VocabularyTerm): Promise<void> => {
    vocabulary.value = await engine.api.send<Vocabulary>('POST', '/vocabulary/remove', { termId: id })
    announce(fill(words.removed, { term }))
  }
  return (
    <div class="stack">
      <AddTerm onAdded={(next) => (vocabulary.value = next)} />
      {vocabulary.value.terms.length === 0 ? <p class="muted">{words.none}</p> : null}
      <ul class="plain-list vocabulary">
        {vocabulary.value.terms.map((term) => (
          <li key={term.id} class="row">
            <span class="grow">
              <strong>{term.term}</strong>{' '}
              <span class="muted detail">
                {words.scope[term.scope]}
                {term.heard.length === 0 ? '' : ` · ${fill(words.heard, { heard: term.heard.join(', ') })}`}
              </span>
            </span>
            <Button
              kind="quiet"
              icon="trash"
              label={fill(words.remove, { term: term.term })}
              isBusy={isBusy}
              onClick={() => run(() => remove(term))}
            />
          </li>
        ))}
      </ul>
      <Failure error={failure} />
    </div>
  )
}

function AddTerm({ onAdded }: { onAdded: (vocabulary: Vocabulary) => void }) {
  const { engine, texts, announce } = useUi()
  const { vocabulary: words } = texts.value
  const term = useSignal('')
  const scope = useSignal<VocabularyScope>('clinician')
  const { isBusy, failure, run } = useTask()
  const add = async (): Promise<void> => {
    const body = { scope: scope.value, term: term.value.trim() }
    onAdded(await engine.api.send<Vocabulary>('POST', '/vocabulary', body))
    announce(fill(words.addedTerm, body))
    term.value = ''
  }
  return (
    <form
      class="stack tight"
      onSubmit={(event) => {
        event.preventDefault()
        if (term.value.trim().length > 1 && !isBusy) run(add)
      }}
    >
      <label class="stack tight">
        <span>{words.term}</span>
        <input
          type="text"
          maxLength={60}
          value={term.value}
          onInput={(event) => (term.value = event.currentTarget.value)}
        />
      </label>
      <Choice
        label={words.for}
        value={scope.value}
        choices={[
          { value: 'clinician', title: words.scope.clinician },
          { value: 'clinic', title: words.scope.clinic },
        ]}
        onChange={(value) => (scope.value = value === 'clinic' ? 'clinic' : 'clinician')}
      />
      <div class="row">
        <Button
          type="submit"
          kind="primary"
          icon="check"
          isBusy={isBusy}
          isDisabled={term.value.trim().length < 2}
        >
          {words.add}
        </Button>
      </div>
      <Failure error={failure} />
    </form>
  )
}
