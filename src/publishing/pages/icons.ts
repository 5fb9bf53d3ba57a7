import { type Html, raw } from '#platform/web/html.ts'

const paths = {
  reply: '<path d="M4 5.5h16v11h-8.5L7 20v-3.5H4z"/>',
  repost: '<path d="M4 11V8.5a2 2 0 0 1 2-2h12M15 3.5l3 3-3 3M20 13v2.5a2 2 0 0 1-2 2H6M9 20.5l-3-3 3-3"/>',
  quote: '<path d="M10 7H5v6h5zM10 13c0 2.5-1.5 4-4 4.5M19 7h-5v6h5zM19 13c0 2.5-1.5 4-4 4.5"/>',
  like: '<path d="M12 19.5 4.8 12.4a4.4 4.4 0 0 1 6.300-6.200l.9.9.9-.9a4.4 4.4 0 0 1 6.300 6.200z"/>',
  edit: '<path d="m5 19 1-4L16.5 4.5l3 3L9 18zM14 7l3 3"/>',
  remove: '<path d="M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7"/>',
  home: '<path d="m4 11 8-7 8 7v8.5h-5.5V14h-5v5.5H4z"/>',
  explore: '<circle cx="12" cy="12" r="8.5"/><path d="m15.5 8.5-2 5-5 2 2-5z"/>',
  search: '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>',
  person: '<circle cx="12" cy="8" r="4"/><path d="M4.5 20c.6-4 3.5-6 7.5-6s6.900 2 7.5 6"/>',
  bell: '<path d="M6 16.5v-6a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21h4"/>',
  mention:
    '<circle cx="12" cy="12" r="4"/><path d="M16 8v5.5a2.3 2.3 0 0 0 4.5 0V12a8.5 8.5 0 1 0-3.5 6.9"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7"/>',
} as const

export type IconName = keyof typeof paths

/** An outline in the colour of the text beside it, which says what it means. */
export const icon = (name: IconName): Html =>
  raw(
    `<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths[name]}</svg>`,
  )
