// Before the first paint: who chose a theme never sees the other one flash.
try {
  const theme = localStorage.getItem('theme')
  if (theme) document.documentElement.dataset.theme = theme
} catch {}
