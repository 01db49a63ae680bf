import type { CrisisHelp } from '@casenote/contract'
import { render } from 'preact'
import { App } from './app.js'
import { ClientPage } from './client-page.js'
// oxlint-disable-next-line import/no-unassigned-import -- the bundler makes a file of it
import './pages.css'

const data = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as { crisisHelp: CrisisHelp }
const page = new ClientPage()
const root = document.getElementById('page')
if (root !== null) render(<App page={page} help={data.crisisHelp} />, root)
void page.load()

for (const event of ['pointerdown', 'keydown'] as const) addEventListener(event, () => page.stir())
page.stir()

// Brought back from the browser's memory, perhaps by somebody else: begin anew.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

// The picture that phones keep for switching apps shows nothing.
document.addEventListener('visibilitychange', () => {
  document.documentElement.classList.toggle('veiled', document.hidden)
})

addEventListener('beforeunload', (event) => {
  if (!page.questionnaire.queue.isEmpty) event.preventDefault()
})

// The browser's own "back" means the question before, or the page under the help. The entry that it needs has the address of this page and no data.
history.pushState(null, '')
addEventListener('popstate', () => {
  if (page.back()) history.pushState(null, '')
  else history.back()
})
