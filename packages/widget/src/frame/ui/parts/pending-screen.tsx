import { useTexts } from '../ui-context.js'
import { Pending } from './pending.js'

/** A screen that is on its way. */
export const PendingScreen = () => (
  <section class="screen">
    <h1 class="hidden">{useTexts().general.loading}</h1>
    <Pending lines={6} />
  </section>
)
