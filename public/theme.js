// Runs before the first paint, so that nobody sees the other theme flash by. The same keys and defaults as src/ui/theme.ts.
;(() => {
  let theme = null
  let font = null
  try {
    theme = localStorage.getItem('theme')
    font = localStorage.getItem('font')
  } catch {
    // Storage can be forbidden: the defaults stand.
  }
  const root = document.documentElement
  root.dataset.theme = theme === 'light' ? 'light' : 'dark'
  root.dataset.font = font === 'manrope' || font === 'system' ? font : 'inter'
  if (root.dataset.theme === 'light') document.querySelector('meta[name="theme-color"]').setAttribute('content', '#eef1f1')
})()
