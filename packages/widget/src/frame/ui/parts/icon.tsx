/** Strokes on a grid of 20. */
const paths = {
  mic: 'M10 2.5a2.5 2.5 0 0 0-2.5 2.5v4.5a2.5 2.5 0 0 0 5 0V5A2.5 2.5 0 0 0 10 2.5ZM5 9.5a5 5 0 0 0 10 0M10 14.5v3',
  pause: 'M7 4.5v11M13 4.5v11',
  play: 'M6.5 4.2v11.6l9-5.8z',
  stop: 'M5.5 5.5h9v9h-9z',
  check: 'm4 10.5 4 4 8-9',
  back: 'M12.5 4.5 7 10l5.5 5.5',
  close: 'm5 5 10 10M15 5 5 15',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Zm4 9.5 4 4',
  upload: 'M10 13.5v-10m-4 4 4-4 4 4M3.5 13v3.5h13V13',
  warning: 'M10 3 2.5 16.5h15zM10 8v4m0 2.2v.3',
  info: 'M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4ZM10 9v4.5m0-7v.3',
  lock: 'M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  edit: 'm4 16 .8-3.6L13 4.2l2.8 2.8-8.2 8.2zM11.2 6l2.8 2.8',
  copy: 'M7 7h9v9.5H7zM4 13V3.5h9',
  send: 'M3.5 10h11m-4.5-5 5 5-5 5',
  history: 'M4 10a6 6 0 1 1 1.8 4.3M4 6v4h4m2-3v3.3l2.2 1.4',
  refresh: 'M15.8 8A6 6 0 0 0 5 6.3L3.8 8M4.2 12A6 6 0 0 0 15 13.7l1.2-1.7M3.8 4v4h4m8.4 8v-4h-4',
  wand: 'm3.5 16.5 8-8m1-5v3m-1.5-1.5h3m3 4v3m-1.5-1.5h3m-7-3.5 1.5 1.5',
  people:
    'M7 9.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4Zm-5 6.4c0-2.6 2.2-4.2 5-4.2s5 1.6 5 4.2m1-11.5a2.5 2.5 0 0 1 0 4.8m2 2.8c1.8.5 3 1.8 3 3.9',
  offline:
    'M3 3l14 14M2.5 8.3A11 11 0 0 1 6 6.2m3-.7a11 11 0 0 1 8.5 2.8M5.5 11.5A6.5 6.5 0 0 1 9 9.7m4.3 1.1 1.2.7M10 15.3v.2',
  chevron: 'm7.5 4.5 5.5 5.5-5.5 5.5',
  quote: 'M8 5.5c-2.6 1-4 3-4 5.5v3.5h4.5V10H6M17 5.5c-2.6 1-4 3-4 5.5v3.5h4.5V10H15',
  rule: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM3 10h14',
  flag: 'M5 17.5v-14h9.5l-2 3.5 2 3.5H5',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  print: 'M6 8V3.5h8V8M6 14H3.5V8h13v6H14m-8-2.5h8v5H6z',
  trash: 'M4 5.5h12M8 5.5V3.5h4v2m-6.5 0 .7 11h7.6l.7-11',
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
