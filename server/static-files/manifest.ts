import { env } from '#server/lib/env.ts'
import { pages } from '#shared/contract/paths.ts'

const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/icons/${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

/** Returns the web app manifest (https://www.w3.org/TR/appmanifest), by which browsers install the app. */
export const webManifest = () => ({
  id: '/',
  name: env.PRODUCT_NAME,
  short_name: env.PRODUCT_NAME.slice(0, 30),
  description: 'A research-evidence library: papers in, structured evidence and cited answers out.',
  start_url: pages.projects(),
  scope: '/',
  display: 'standalone',
  // The background of the light theme, and the color of the icon.
  background_color: '#faf7f2',
  theme_color: '#0b5a5c',
  icons: [icon('icon-192', 192, 'any'), icon('icon-512', 512, 'any'), icon('icon-maskable-512', 512, 'maskable')],
  share_target: { action: pages.add(), method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
})
