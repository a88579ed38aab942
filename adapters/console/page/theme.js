// Before anything is drawn, so that nobody is dazzled: the theme somebody chose, else the system's.
{
  let chosen = null
  try {
    chosen = localStorage.getItem('bellhop-theme')
  } catch {}
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
}
