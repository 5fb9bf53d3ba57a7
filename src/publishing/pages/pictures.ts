import { type Html, html } from '#platform/web/html.ts'
import type { Member, Publishing } from '../context.ts'
import { secureUrl } from '../feeds/feed.ts'
import { type Kind, smallPicture } from '../picture-urls.ts'
import { readOwnProfile } from '../profiles/profiles.ts'
import type { Profile } from '../profiles/schema.ts'
import { avatar, hueOf } from './avatar.ts'
import { field, noProblems, type Problems } from './fields.ts'
import type { Page } from './page.ts'
import { ownTabs } from './parts.ts'

const types = 'image/jpeg,image/png,image/webp,image/gif,image/avif'
const limits = 'JPEG, PNG, WebP, GIF or AVIF, up to 2 MiB.'

/** The banner of a profile, with the small one for small screens; a stripe of the person's colour if there is none. */
export const bannerStrip = ({ banner_url, handle }: Pick<Profile, 'banner_url' | 'handle'>) => {
  const url = secureUrl(banner_url)
  const small = url && smallPicture(url)
  const choice =
    small !== url && html` srcset="${small} 600w, ${url} 1500w" sizes="(max-width: 640px) 100vw, 640px"`
  return html`<div class="strip ${hueOf(handle)}">${url && html`<img src="${url}"${choice} alt="" referrerpolicy="no-referrer">`}</div>`
}

type Section = { kind: Kind; title: string; hint: string; isSet: boolean; preview: Html }

const section = (
  { formToken }: Member,
  problems: Problems,
  { kind, title, hint, isSet, preview }: Section,
) => {
  const token = html`<input type="hidden" name="token" value="${formToken}">`
  const input = (its: Html) => html`<input type="file"${its} accept="${types}" required>`
  return html`<section class="form picture" aria-labelledby="${kind}-title"><h2 id="${kind}-title">${title}</h2>${preview}
<form method="post" action="/settings/${kind}" enctype="multipart/form-data">${token}
${field(problems, { name: kind, hint }, input)}
<div class="end"><button class="primary">Upload</button>${isSet && html`<button form="remove-${kind}">Remove ${title.toLowerCase()}</button>`}</div></form>
<form id="remove-${kind}" method="post" action="/settings/${kind}/remove" hidden>${token}</form></section>`
}

/** Where a member uploads or removes avatar and banner. */
export const picturesPage = async (
  ctx: Publishing,
  reader: Member,
  problems: Problems = noProblems,
): Promise<Page> => {
  const profile = await readOwnProfile(ctx, reader)
  return {
    title: 'Pictures',
    main: html`${ownTabs('/settings')}<h1>Pictures</h1>
<p>Places, dates and other details that cameras put into photos are removed. <a href="/settings">Back to your profile</a></p>
${section(reader, problems, {
  kind: 'avatar',
  title: 'Picture',
  hint: `${limits} Shown as a circle.`,
  isSet: profile.avatar_url !== null,
  preview: avatar(profile, 80),
})}
${section(reader, problems, {
  kind: 'banner',
  title: 'Banner',
  hint: `${limits} Three times as wide as high.`,
  isSet: profile.banner_url !== null,
  preview: bannerStrip(profile),
})}`,
  }
}
