export type Language = 'fr' | 'en' | 'ar'

export const languages: readonly { readonly code: Language; readonly name: string; readonly dir: 'ltr' | 'rtl' }[] = [
  { code: 'fr', name: 'Français', dir: 'ltr' },
  { code: 'en', name: 'English', dir: 'ltr' },
  { code: 'ar', name: 'العربية', dir: 'rtl' },
]
