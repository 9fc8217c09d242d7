import { createRoot } from 'react-dom/client';
import { setServer } from './api/server-url.ts';
import { App } from './app.tsx';
import './theme.css';

// The routes lie where the page does: a server has a place for each of its workspaces.
setServer(new URL('.', window.location.href).pathname, '');
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(<App />);
