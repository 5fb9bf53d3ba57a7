import { html } from './html.ts'

/** Links to the icons, for the head of every page. `root` is how the page spells the root of its service. */
export const iconLinks = (root: string) => html`<link rel="icon" href="${root}favicon.ico" sizes="32x32">
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="${root}apple-touch-icon.png">`
