// Runs before the first paint, so that nobody sees the wrong colours flash by. web/lib/appearance.ts keeps these two
// entries in step with the profile.
;(function () {
  var root = document.documentElement
  var theme = 'system'
  var size = 'medium'
  try {
    theme = localStorage.getItem('lectern.theme') || theme
    size = localStorage.getItem('lectern.font-size') || size
  } catch {
    // Storage may be forbidden; the defaults then stand.
  }
  var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.classList.toggle('dark', dark)
  root.dataset.fontSize = size
  // The checks of input (zod) look once whether they may write new code. The content policy refuses that and says so, so
  // they are told before they are loaded.
  globalThis.__zod_globalConfig = { jitless: true }
})()
