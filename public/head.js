// Runs before anything else of the page.
;(() => {
  let theme = null
  let font = null
  let isSignedIn = false
  try {
    theme = localStorage.getItem('theme')
    font = localStorage.getItem('font')
    isSignedIn = localStorage.getItem('RefreshToken') !== null
  } catch {
    // Storage can be forbidden: the defaults stand.
  }

  // Before the first paint, so that nobody sees the other theme flash by. The same keys and defaults as src/ui/theme.ts.
  const root = document.documentElement
  root.dataset.theme = theme === 'light' ? 'light' : 'dark'
  root.dataset.font = font === 'manrope' || font === 'system' ? font : 'inter'
  if (root.dataset.theme === 'light') document.querySelector('meta[name="theme-color"]').setAttribute('content', '#eef1f1')

  // Whoever is signed in and begins at the home page gets what its search is made of at once. The build writes the list here (vite.config.ts);
  // which page it is, src/main.tsx says, too.
  const { home = '' } = document.currentScript.dataset
  if (!isSignedIn || (location.pathname !== '/' && location.pathname !== '/dashboard')) return
  for (const href of home.split(' ').filter(Boolean)) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = href
    document.head.append(link)
  }
})()
