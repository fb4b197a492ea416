// Each suite stops shared engines, so one file runs them one after another.
import './engines.ts'
import './search-index.ts'
import './content-store.ts'
