import '../shared/civigraph.css'
import './console.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Console } from './console.tsx'

const place = document.querySelector('#console')
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <Console />
    </StrictMode>,
  )
