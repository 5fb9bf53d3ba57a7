import type { LinkKeeper } from '#platform/instance/link-keeper.ts'
import { version } from '#platform/version.ts'
import { lazyAsset } from '#platform/web/assets.ts'
import { iconLinks } from '#platform/web/head.ts'
import { html, raw } from '#platform/web/html.ts'
import type { ServiceName } from '#platform/web/mark.ts'
import type { Bundle } from './bundle.ts'
import type { Console } from './console.ts'

const theme = lazyAsset(new URL('./theme.browser.ts', import.meta.url))

type Shell = {
  service: ServiceName
  /** What the instance is called. */
  name: string
  /** Who has the links that people ask for, where no mail brings them. */
  keeper: LinkKeeper | null
  nonce: string
  bundle: Bundle
  isDevelopment: boolean
}

const keeperOf = (keeper: LinkKeeper | null) =>
  keeper &&
  html` data-keeper="${keeper.name}"${keeper.address && html` data-keeper-address="${keeper.address}"`}`

/** The page that every address of a console begins with: it loads the script, which shows the rest. */
export const consoleShell = ({ service, name, keeper, nonce, bundle, isDevelopment }: Shell) =>
  String(html`<!doctype html>
<html lang="en" data-service="${service}" data-instance="${name}" data-version="${version}"${keeperOf(keeper)}${isDevelopment && raw(' data-development')}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${name} ${service}</title>
${iconLinks('/')}
<script nonce="${nonce}">${raw(theme())}</script>
<link rel="stylesheet" nonce="${nonce}" href="/console/assets/${bundle.style}">
${bundle.imports.map((name) => html`<link rel="modulepreload" nonce="${nonce}" href="/console/assets/${name}">\n`)}<script type="module" nonce="${nonce}" src="/console/assets/${bundle.script}"></script></head>
<body><div id="console"></div><noscript><p>This console needs JavaScript. Everything it does can be done by the <a href="/docs">API</a> as well.</p></noscript></body></html>
`)

/**
 * What a console may load and call. Scripts and styles need the nonce, which scripts pass on to what they import: no
 * address is allowed, because files that users have stored are served from the same host. WebAssembly can only be
 * compiled, by such a script, in a console that needs it.
 */
export const consolePolicy = (nonce: string, { imageSources = [], readsCodes }: Console) =>
  [
    "default-src 'none'",
    [`script-src 'nonce-${nonce}'`, ...(readsCodes ? ["'wasm-unsafe-eval'"] : [])].join(' '),
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    ["img-src 'self' data: blob:", ...imageSources].join(' '),
    "media-src 'self' blob:",
    "frame-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
