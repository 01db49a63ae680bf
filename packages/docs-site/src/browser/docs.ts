// oxlint-disable-next-line import/no-unassigned-import -- the bundler makes a file of it
import './docs.css'
import { addCopyButtons } from './copy-buttons.js'
import { makeLanguageTabs } from './language-tabs.js'
import { makeMenuButton, openToc } from './menu-button.js'
import { openSearch } from './search.js'

// The reader's own address: where the page came from, also if the operator has not told the service its public one.
for (const origin of document.querySelectorAll('.origin')) origin.textContent = location.origin

makeMenuButton()
openToc()
makeLanguageTabs()
addCopyButtons()
openSearch()
