// @ts-check
import { byId } from '../dom.js'

/** The system's theme until somebody chooses; theme.js brings the choice back at the next start. */
export const switchThemes = () => {
  const button = byId('theme')
  const system = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () =>
    (document.documentElement.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark'
  const show = () => button.setAttribute('aria-pressed', String(isDark()))
  button.addEventListener('click', () => {
    const chosen = isDark() ? 'light' : 'dark'
    document.documentElement.dataset.theme = chosen
    try {
      localStorage.setItem('bellhop-theme', chosen)
    } catch {}
    show()
  })
  system.addEventListener('change', show)
  show()
}
