// Runs before anything is drawn, so that the page does not flash: the theme somebody chose, else the system's.
{
  let chosen = null
  try {
    chosen = localStorage.getItem('bellhop-theme')
  } catch {}
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
}
