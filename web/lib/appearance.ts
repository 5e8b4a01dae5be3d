import type { Profile } from '#shared/contract/profiles.ts'

type Appearance = Pick<Profile, 'theme' | 'font_size'>

const dark = matchMedia('(prefers-color-scheme: dark)')

/**
 * Applies theme and font size to the page. Stores them in localStorage, so that web/public/theme.js can apply them before the
 * first paint of the next visit.
 */
export function applyAppearance({ theme, font_size }: Appearance): void {
  localStorage.setItem('lectern.theme', theme)
  localStorage.setItem('lectern.font-size', font_size)
  document.documentElement.dataset['fontSize'] = font_size
  paint(theme)
}

// The 'system' theme follows the operating system while the page is open.
dark.addEventListener('change', () => paint(localStorage.getItem('lectern.theme')))

function paint(theme: string | null) {
  document.documentElement.classList.toggle('dark', theme === 'dark' || (theme !== 'light' && dark.matches))
}
