import { pickLanguage, TEXT_LANGUAGES, type TextLanguage } from '@casenote/contract'
import { computed, signal } from '@preact/signals'

/** What the page is read in: what the person picked here, else what their record says, else what the browser asks for. */
export class PageLanguage {
  readonly picked = signal<TextLanguage | null>(null)
  /** A mailed link says it already; the service says it once the birth date was right. */
  readonly ofRecord = signal<string | null>(null)
  readonly current = computed(
    () => pickLanguage([this.picked.value, this.ofRecord.value, ...navigator.languages]) ?? 'en',
  )
  readonly others = computed(() => TEXT_LANGUAGES.filter((language) => language !== this.current.value))
}
