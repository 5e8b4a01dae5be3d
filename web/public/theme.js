// Runs before the first paint, so that the page never appears in the wrong colors. web/lib/appearance.ts writes the two
// entries in localStorage from the profile.
;(function () {
  var root = document.documentElement
  var theme = 'system'
  var size = 'medium'
  try {
    theme = localStorage.getItem('lectern.theme') || theme
    size = localStorage.getItem('lectern.font-size') || size
  } catch {
    // Storage can be disabled; the defaults are used then.
  }
  var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.classList.toggle('dark', dark)
  root.dataset.fontSize = size
  // Zod tests whether it can compile code, which the content security policy blocks and reports. This setting disables
  // the test and must be made before Zod loads.
  globalThis.__zod_globalConfig = { jitless: true }
})()
