import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { OpenDanger } from '../danger/lazy-danger.js'
import { ScreenHeading } from '../parts/screen-heading.js'
import { useUi } from '../ui-context.js'
import { LazyWaitingForMe, LazyWorkList } from '../work/lazy-work.js'
import { ClientSearch } from './client-search.js'
import { LazyLeftRecordings } from './lazy-screens.js'

/** No client was chosen: find one, or go on with what is to be done. One search is for both. */
export function HomeScreen() {
  const { texts, getClinician } = useUi()
  const asked = useSignal('')
  return (
    <section class="screen">
      <ScreenHeading
        title={fill(texts.value.home.title, { name: getClinician()?.firstName ?? '' })}
        focusKey="home"
      />
      <OpenDanger path="/danger" isOfManyClients />
      <LazyWaitingForMe />
      <LazyLeftRecordings />
      <ClientSearch onAsk={(name) => (asked.value = name)} />
      <LazyWorkList name={asked.value} />
    </section>
  )
}
