import "../ui/theme.css";
import "../ui/fonts.css";
import "../ui/app.css";
import "./desk.css";
import { mount } from "svelte";
import { settings } from "../app/settings.svelte";
import Desk from "./Desk.svelte";
import { speakAtTheDesk } from "./words";

const target = document.getElementById("app");
if (target === null) throw new Error("the page has no #app to mount into");
void speakAtTheDesk(settings.locale).then(() => mount(Desk, { target }));
