import { fill } from '../../texts/fill.js'
import { OpenDanger } from '../danger/lazy-danger.js'
import { ScreenHeading } from '../parts/screen-heading.js'
import { useUi } from '../ui-context.js'
import { ClientSearch } from './client-search.js'
import { SendingRecordings } from './sending-recordings.js'
import { SessionList } from './session-list.js'
import { WaitingForMe } from './waiting-for-me.js'
import { UnfinishedRecordings } from './unfinished-recordings.js'

/** No client was chosen: find one, or go on with a recent session. */
export function HomeScreen() {
  const { texts, getClinician } = useUi()
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
      <ClientSearch />
      <SessionList
        title={texts.value.home.recent}
        empty={texts.value.home.noSessions}
        path="/sessions"
        isOfManyClients
      />
    </section>
  )
}
