import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { OpenDanger } from '../danger/lazy-danger.js'
import { ScreenHeading } from '../parts/screen-heading.js'
import { useUi } from '../ui-context.js'
import { LazyWorkList } from '../work/lazy-work.js'
import { ClientSearch } from './client-search.js'
import { SendingRecordings } from './sending-recordings.js'
import { WaitingForMe } from './waiting-for-me.js'
import { UnfinishedRecordings } from './unfinished-recordings.js'

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
      <WaitingForMe />
      <UnfinishedRecordings />
      <SendingRecordings />
      <ClientSearch onAsk={(name) => (asked.value = name)} />
      <LazyWorkList name={asked.value} />
    </section>
  )
}
