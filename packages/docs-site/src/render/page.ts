/** A piece of a page that search finds by itself: what stands below one heading. */
export interface Section {
  heading: string
  /** Null: the top of the page. */
  anchor: string | null
  text: string
}

export interface Heading {
  level: number
  text: string
  anchor: string
}

/** What stands between the menus. */
export interface PageContent {
  title: string
  html: string
  headings: Heading[]
  sections: Section[]
}

export interface SitePage extends PageContent {
  path: string
  label: string
  group: string
}
